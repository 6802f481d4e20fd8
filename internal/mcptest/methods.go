package mcptest

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// answer is the honest handler of all methods.
func (s *Server) answer(c *call) (any, error) {
	switch c.method {
	case methodDiscover:
		return s.discover(c)
	case methodInitialize:
		return s.initialize(c)
	case methodPing:
		if !c.modern {
			return object{}, nil
		}
	case methodList:
		return s.list(c)
	case methodGet:
		return s.get(c)
	case methodRead:
		return s.read(c)
	case methodResources:
		return s.resources(c)
	case methodDirectory:
		if s.world.directory {
			return s.readDirectory(c)
		}
	}
	return nil, refuse(codeMethodNotFound, "the method %q is not known", c.method)
}

func (s *Server) info() object { return object{"name": s.world.name, "version": s.world.version} }

func (s *Server) discover(c *call) (any, error) {
	result := object{"supportedVersions": s.options.revisions(), "capabilities": s.world.capabilities, "_meta": object{metaServer: s.info()}}
	if s.world.instructions != "" {
		result["instructions"] = s.world.instructions
	}
	return c.cacheable(result), nil
}

func (s *Server) initialize(c *call) (any, error) {
	revision := c.text("protocolVersion")
	if !slices.Contains(legacyRevisions, revision) {
		revision = legacyRevisions[0]
	}
	result := object{"protocolVersion": revision, "capabilities": s.world.capabilities, "serverInfo": s.info()}
	if s.world.instructions != "" {
		result["instructions"] = s.world.instructions
	}
	return result, nil
}

// complete adds what each result has since 2026-07-28 (S-LST2).
func (c *call) complete(result object) object {
	if c.modern {
		result["resultType"] = "complete"
	}
	return result
}

// timeToLive is how long an answer may be kept, in milliseconds.
const timeToLive = 60_000

// cacheable adds what results have that may be kept (S-LST3).
func (c *call) cacheable(result object) object {
	if c.modern {
		result["ttlMs"], result["cacheScope"] = timeToLive, "private"
	}
	return c.complete(result)
}

func (s *Server) list(c *call) (any, error) {
	entries := make([]object, 0, len(s.world.skills))
	for _, k := range s.world.skills {
		entries = append(entries, k.entry)
	}
	result, err := s.page(c, "skills", entries)
	return c.cacheable(result), err
}

func (s *Server) get(c *call) (any, error) {
	k := s.world.skillAt[c.uri()]
	if k == nil {
		return nil, refuse(codeInvalidParams, "no skill is served at %s", c.uri())
	}
	return c.cacheable(object{"skill": k.entry}), nil
}

func (s *Server) read(c *call) (any, error) {
	f := s.world.fileAt[c.uri()]
	if f == nil || f.gone {
		return nil, c.unknownResource()
	}
	return c.cacheable(object{"contents": []any{f.contents()}}), nil
}

// unknownResource is the error of the era (S-CAP4).
func (c *call) unknownResource() error {
	if c.modern {
		return refuse(codeInvalidParams, "no resource is served at %s", c.uri())
	}
	return refuse(codeResourceNotFound, "no resource is served at %s", c.uri())
}

func (s *Server) resources(c *call) (any, error) {
	resources := []object{}
	for _, f := range s.world.files {
		if !f.hidden {
			resources = append(resources, f.resource())
		}
	}
	result, err := s.page(c, "resources", resources)
	return c.cacheable(result), err
}

func (s *Server) readDirectory(c *call) (any, error) {
	children, ok := s.world.children[c.uri()]
	switch {
	case !ok && s.world.file(c.uri()) != nil:
		return nil, refuse(codeInvalidParams, "%s is no directory", c.uri())
	case !ok:
		return nil, refuse(codeInvalidParams, "no directory is served at %s", c.uri())
	}
	result, err := s.page(c, "resources", children)
	return c.complete(result), err
}

// page gives one page of items, with a cursor for the next (S-LST4).
func (s *Server) page(c *call, member string, items []object) (object, error) {
	from, err := c.offset(len(items))
	if err != nil {
		return object{}, err
	}
	to := len(items)
	if size := s.world.pageSize; size > 0 {
		to = min(from+size, to)
	}
	result := object{member: items[from:to]}
	if to < len(items) {
		result["nextCursor"] = c.cursor(to)
	}
	return result, nil
}

// cursor names a place in a listing. It is good for that listing alone.
func (c *call) cursor(offset int) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s %s %d", c.method, c.uri(), offset))
}

// offset reads the cursor of a request.
func (c *call) offset(length int) (int, error) {
	given, ok := c.params["cursor"]
	if !ok {
		return 0, nil
	}
	if raw, err := base64.RawURLEncoding.DecodeString(c.text("cursor")); err == nil {
		text := string(raw)
		offset, err := strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
		if err == nil && 0 < offset && offset < length && c.cursor(offset) == given {
			return offset, nil
		}
	}
	return 0, refuse(codeInvalidParams, "the cursor %q was never given", fmt.Sprint(given))
}
