package io.weir.internal.guard;

import io.weir.Ticker;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.Refusals;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.Settings;

/**
 * What the settings say, policies aside: whether Weir is on at all, who is calling, and what goes
 * over the wire. Swapped whole when they change.
 */
record LiveConfig(
    boolean enabled, ClientAddress addresses, RateLimitFields fields, Refusals refusals) {
  static LiveConfig of(Settings settings, Ticker ticker) {
    HeaderDialect dialect = settings.choice("weir.headers", HeaderDialect.BOTH);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new LiveConfig(
        settings.flag("weir.enabled", true),
        new ClientAddress(settings),
        fields,
        new Refusals(fields));
  }

  /** The same, with the addresses of the last one if they are read as before. */
  LiveConfig after(LiveConfig last) {
    boolean same = addresses.readsAs(last.addresses);
    return same ? new LiveConfig(enabled, last.addresses, fields, refusals) : this;
  }
}
