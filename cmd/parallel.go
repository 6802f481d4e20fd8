package cmd

import (
	"context"
	"runtime"
	"sync"
)

// queued bounds the items that wait for a worker of a pool.
const queued = 1024

// pool works on items as they come in, several at a time.
type pool[T any] struct {
	ctx   context.Context
	items chan T
	wg    sync.WaitGroup
}

// startPool starts jobs workers, or one for each core where jobs is 0.
func startPool[T any](ctx context.Context, jobs int, work func(T)) *pool[T] {
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	p := &pool[T]{ctx: ctx, items: make(chan T, queued)}
	for range jobs {
		p.wg.Go(func() {
			for item := range p.items {
				if ctx.Err() == nil {
					work(item)
				}
			}
		})
	}
	return p
}

// add gives the pool another item. Once the context has ended items are dropped.
func (p *pool[T]) add(item T) {
	select {
	case p.items <- item:
	case <-p.ctx.Done():
	}
}

// wait ends the pool when all items are done, and gives the error of the
// context if that has ended.
func (p *pool[T]) wait() error {
	close(p.items)
	p.wg.Wait()
	return p.ctx.Err()
}

// parallel calls work for 0 up to n, several at a time. Work that writes to
// places of its own gives the same outcome for any number of jobs.
func parallel(ctx context.Context, jobs, n int, work func(i int)) error {
	p := startPool(ctx, min(max(jobs, 0), n), work)
	for i := range n {
		p.add(i)
	}
	return p.wait()
}
