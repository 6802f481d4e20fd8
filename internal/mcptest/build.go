package mcptest

// lie makes a lie that is told in both eras.
func lie(name, requirement, doc string, tell func(*script)) Lie {
	return Lie{Name: name, Kind: KindLie, Requirement: requirement, Doc: doc, tell: tell}
}

// oddity makes something that is odd and legal.
func oddity(name, requirement, doc string, tell func(*script)) Lie {
	return Lie{Name: name, Kind: KindOddity, Requirement: requirement, Doc: doc, tell: tell}
}

// fault makes a fault of the wire or the process.
func fault(name, doc string, where Where, tell func(*script)) Lie {
	return Lie{Name: name, Kind: KindFault, Doc: doc, Where: where, tell: tell}
}

// since says that something can be told from 2026-07-28 on alone.
func since(l Lie) Lie {
	l.Era = ProtocolModern
	return l
}

// waiting says that nothing but waiting shows a fault.
func waiting(l Lie) Lie {
	l.Waits = true
	return l
}

// at says what is needed to tell something.
func at(where Where, l Lie) Lie {
	l.Where = where
	return l
}

// inResult lies in the results of a method.
func inResult(method string, change func(result object)) func(*script) {
	return func(s *script) { s.result(method, func(_ *call, r object) { change(r) }) }
}

// member lies about one member of the results of a method, where it is there.
func member(method, name string, value any) func(*script) {
	return inResult(method, func(r object) {
		if _, ok := r[name]; ok {
			r[name] = value
		}
	})
}

// without leaves a member out of the results of a method.
func without(method, name string) func(*script) {
	return inResult(method, func(r object) { delete(r, name) })
}

// inEntry lies in the entry of the victim.
func inEntry(change func(k *skill)) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			k, err := w.victim()
			if err == nil {
				change(k)
			}
			return err
		})
	}
}

// inWorld lies about the victim and what belongs to it.
func inWorld(change func(w *world, k *skill)) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			k, err := w.victim()
			if err == nil {
				change(w, k)
			}
			return err
		})
	}
}

// inFile lies about a supporting file of the victim.
func inFile(change func(w *world, k *skill, f *file)) func(*script) {
	return func(s *script) {
		s.world(func(w *world) error {
			k, err := w.victim()
			if err != nil {
				return err
			}
			f, err := w.supporting(k)
			if err == nil {
				change(w, k, f)
			}
			return err
		})
	}
}

// inResource lies about the listed resource of a supporting file.
func inResource(change func(r object)) func(*script) {
	return inFile(func(_ *world, k *skill, f *file) { change(k.resource(f.uri)) })
}

// failing answers a method with an error.
func failing(method string, code int, text string) func(*script) {
	return func(s *script) {
		s.answer(method, func(*call, handler) (any, error) { return nil, refuse(code, "%s", text) })
	}
}

// unknown answers what has to be refused with something else.
func unknown(method string, answer func(c *call) (any, error)) func(*script) {
	return func(s *script) {
		s.failure(method, func(c *call, _ *rpcError) (any, error) { return answer(c) })
	}
}

// unknownCode refuses with another code.
func unknownCode(method string, code int) func(*script) {
	return func(s *script) {
		s.failure(method, func(_ *call, err *rpcError) (any, error) { return nil, refuse(code, "%s", err.Message) })
	}
}
