package report

import "github.com/skilltool/skilltool/pkg/spec"

// The types below are the parts of SARIF 2.1.0 that are written. Names are
// those of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}

	sarifRun struct {
		Tool               sarifTool                        `json:"tool"`
		AutomationDetails  *sarifAutomation                 `json:"automationDetails,omitempty"`
		Invocations        []sarifInvocation                `json:"invocations"`
		OriginalURIBaseIDs map[string]sarifArtifactLocation `json:"originalUriBaseIds,omitempty"`
		ColumnKind         string                           `json:"columnKind"`
		Results            []sarifResult                    `json:"results"`
	}

	// sarifAutomation tells the runs of one kind from those of another.
	sarifAutomation struct {
		ID string `json:"id"`
	}

	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}

	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}

	sarifRule struct {
		ID                   string              `json:"id"`
		Name                 string              `json:"name"`
		ShortDescription     *sarifMessage       `json:"shortDescription,omitempty"`
		FullDescription      *sarifMessage       `json:"fullDescription,omitempty"`
		Help                 *sarifMessage       `json:"help,omitempty"`
		HelpURI              string              `json:"helpUri"`
		DefaultConfiguration sarifConfiguration  `json:"defaultConfiguration"`
		Properties           sarifRuleProperties `json:"properties"`
	}

	sarifConfiguration struct {
		Level string `json:"level"`
	}

	sarifRuleProperties struct {
		Tags []string `json:"tags"`
	}

	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		ExitCode            int                 `json:"exitCode"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications"`
	}

	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
	}

	sarifResult struct {
		RuleID           string          `json:"ruleId"`
		RuleIndex        *int            `json:"ruleIndex,omitempty"`
		Level            string          `json:"level"`
		Message          sarifMessage    `json:"message"`
		Locations        []sarifLocation `json:"locations"`
		RelatedLocations []sarifLocation `json:"relatedLocations"`
		Fixes            []sarifFix      `json:"fixes"`
		// Suppressions are written even if empty: SARIF wants them on all
		// results of a run or on none.
		Suppressions        []sarifSuppression `json:"suppressions"`
		PartialFingerprints map[string]string  `json:"partialFingerprints,omitempty"`
	}

	sarifMessage struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown,omitempty"`
	}

	sarifLocation struct {
		PhysicalLocation *sarifPhysicalLocation `json:"physicalLocation,omitempty"`
		LogicalLocations []sarifLogicalLocation `json:"logicalLocations,omitempty"`
		Message          *sarifMessage          `json:"message,omitempty"`
	}

	sarifLogicalLocation struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
		Kind               string `json:"kind"`
	}

	sarifPhysicalLocation struct {
		ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
		Region           *sarifRegion          `json:"region,omitempty"`
	}

	sarifArtifactLocation struct {
		URI       string `json:"uri"`
		URIBaseID string `json:"uriBaseId,omitempty"`
	}

	sarifRegion struct {
		StartLine   int           `json:"startLine"`
		StartColumn int           `json:"startColumn"`
		EndLine     int           `json:"endLine"`
		EndColumn   int           `json:"endColumn"`
		Snippet     *sarifMessage `json:"snippet,omitempty"`
	}

	sarifFix struct {
		Description     sarifMessage          `json:"description"`
		ArtifactChanges []sarifArtifactChange `json:"artifactChanges"`
		Properties      sarifFixProperties    `json:"properties"`
	}

	sarifFixProperties struct {
		Safety spec.Safety `json:"safety"`
	}

	sarifArtifactChange struct {
		ArtifactLocation sarifArtifactLocation `json:"artifactLocation"`
		Replacements     []sarifReplacement    `json:"replacements"`
	}

	sarifReplacement struct {
		DeletedRegion   sarifRegion  `json:"deletedRegion"`
		InsertedContent sarifContent `json:"insertedContent"`
	}

	sarifContent struct {
		Text string `json:"text"`
	}

	sarifSuppression struct {
		Kind          string `json:"kind"`
		Justification string `json:"justification,omitempty"`
	}
)
