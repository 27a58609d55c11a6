package io.weir.guard;

import io.weir.Ticker;
import io.weir.http.Dialect;
import io.weir.http.RateLimitFields;
import io.weir.http.Refusals;
import io.weir.settings.Settings;

/** What the settings say of the wire, and whether Weir is on at all. Immutable, swapped whole. */
record Wire(boolean enabled, RateLimitFields fields, Refusals refusals) {
  static Wire of(Settings settings, Ticker ticker) {
    Dialect dialect = dialect(settings);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new Wire(settings.flag("weir.enabled", true), fields, new Refusals(fields));
  }

  private static Dialect dialect(Settings settings) {
    String text = settings.text("weir.headers", Dialect.BOTH.text());
    return Dialect.named(text)
        .orElseThrow(() -> settings.invalid("weir.headers", "must be a known dialect"));
  }
}
