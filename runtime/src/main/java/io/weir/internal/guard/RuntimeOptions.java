package io.weir.internal.guard;

import io.weir.Ticker;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.CustomRefusalBody;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFormat;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.Settings;
import java.util.Optional;

/**
 * The options that the settings give, policies aside: whether Weir is on at all, who is calling,
 * and what goes over the wire. Replaced as a whole when they change.
 */
record RuntimeOptions(
    boolean enabled, ClientAddress addresses, RateLimitFields fields, RefusalFactory refusals) {
  static RuntimeOptions of(Settings settings, Ticker ticker, Optional<CustomRefusalBody.Source> words) {
    HeaderDialect dialect = settings.choice("weir.headers", HeaderDialect.BOTH);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new RuntimeOptions(
        settings.flag("weir.enabled", true),
        new ClientAddress(settings),
        fields,
        new RefusalFactory(fields, settings.choice("weir.refusal.body", RefusalFormat.PROBLEM), words));
  }

  /** The same, with the addresses of the last ones if they are read alike. */
  RuntimeOptions after(RuntimeOptions last) {
    boolean same = addresses.readsAs(last.addresses);
    return same ? new RuntimeOptions(enabled, last.addresses, fields, refusals) : this;
  }
}
