package digest

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Lock is a skills-lock.json as "npx skills" writes it (version 1).
type Lock struct {
	// Skills are the locked skills by the names of their folders.
	Skills map[string]LockedSkill `json:"skills"`
}

// LockedSkill is one skill of a Lock.
type LockedSkill struct {
	Source     string `json:"source"`
	SourceType string `json:"sourceType"`
	// ComputedHash is the digest under the algorithm SkillsLock.
	ComputedHash string `json:"computedHash"`
}

// ReadLock reads a skills-lock.json.
func ReadLock(text []byte) (Lock, error) {
	if len(text) > MaxManifestBytes {
		return Lock{}, fmt.Errorf("the lock file is larger than %d bytes", MaxManifestBytes)
	}
	var lock struct {
		Version json.RawMessage        `json:"version"`
		Skills  map[string]LockedSkill `json:"skills"`
	}
	if err := decode(text, &lock); err != nil {
		return Lock{}, err
	}
	if string(lock.Version) != "1" {
		return Lock{}, fmt.Errorf(`"version" is %s; version 1 is understood`, orAbsent(lock.Version))
	}
	if lock.Skills == nil {
		return Lock{}, errors.New(`the lock file has no "skills"`)
	}
	return Lock{lock.Skills}, nil
}
