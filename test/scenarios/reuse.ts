// Presets and overlays: plans, drift and moves see the plain manifest, whatever it is written with.

import { describe, expect } from 'vitest';
import { story } from './story.ts';

const SITE = `presets:
  public: { match_type: path_prefix, response_headers: { add: { x-frame-options: DENY } } }
  quick: { compression: {} }
https_edges:
  site:
    hostports: [www.example.com:443]
    routes:
      root: { preset: [public, quick], match: / }
      api: { preset: public, match: /api, without: [response_headers.add.x-frame-options] }`;

const PRODUCTION = `stack: shop
presets:
  public: { circuit_breaker: { tripped_duration: 10, rolling_window: 30, num_buckets: 10, error_threshold_percentage: 0.25 } }
https_edges:
  site:
    hostports: [www.example.com:443, example.com:443]
    routes:
      root: { without: [compression] }
add:
  https_edges: { site: { routes: { admin: { preset: public, match: /admin } } } }
without: [https_edges.site.routes.api]`;

const WRITTEN_OUT = `https_edges:
  site:
    hostports: [www.example.com:443, example.com:443]
    routes:
      root:
        match_type: path_prefix
        match: /
        response_headers: { add: { x-frame-options: DENY } }
        circuit_breaker: { tripped_duration: 10, rolling_window: 30, num_buckets: 10, error_threshold_percentage: 0.25 }
      admin:
        match_type: path_prefix
        match: /admin
        response_headers: { add: { x-frame-options: DENY } }
        circuit_breaker: { tripped_duration: 10, rolling_window: 30, num_buckets: 10, error_threshold_percentage: 0.25 }`;

describe('presets and overlays', () => {
  story('reuse: production is an overlay', async ({ apply, plan }) => {
    await apply('two routes share a preset', SITE);
    await apply('an overlay changes what is shared, adds a route and drops one', {
      manifest: SITE,
      overlay: PRODUCTION,
    });
    const { steps } = await plan('the same, written out', WRITTEN_OUT);
    expect(steps).toEqual([]);
    await plan('without the overlay', SITE);
  });

  story('reuse: what somebody changes in a value of a preset', async ({ given, outside, plan }) => {
    await given(SITE);
    outside('routes', 'https_edges.site.routes.root', { compression: { enabled: false } });
    const { steps } = await plan('the preset stands', SITE);
    expect(steps.map(({ address }) => address)).toEqual(['https_edges.site.routes.root']);
  });
});
