package io.weir.internal.guard;

import io.weir.Ticker;
import io.weir.internal.body.BodyBounds;
import io.weir.internal.http.CustomRefusalBody;
import io.weir.internal.http.HeaderDialect;
import io.weir.internal.http.RateLimitFields;
import io.weir.internal.http.RefusalFactory;
import io.weir.internal.http.RefusalFormat;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.Optional;

/**
 * Holds what settings say of all requests, policies aside: whether Weir is enabled, how addresses
 * are read, what is written to responses, and how bodies are read. Replaced as a whole when a
 * setting changes.
 */
public record GuardOptions(
    boolean enabled,
    ClientAddress addresses,
    RateLimitFields fields,
    RefusalFactory refusals,
    BodyBounds bodies) {
  public static GuardOptions of(
      SettingsSnapshot settings, Ticker ticker, Optional<CustomRefusalBody.Source> words) {
    HeaderDialect dialect = settings.choice("weir.headers", HeaderDialect.BOTH);
    RateLimitFields fields = new RateLimitFields(dialect, ticker);
    return new GuardOptions(
        settings.flag("weir.enabled", true),
        new ClientAddress(settings),
        fields,
        new RefusalFactory(
            fields, settings.choice("weir.refusal.body", RefusalFormat.PROBLEM), words),
        BodyBounds.of(settings));
  }

  /** Returns the same options, with the addresses of the previous ones if they are read alike. */
  GuardOptions after(GuardOptions last) {
    boolean same = addresses.readsAs(last.addresses);
    return same ? new GuardOptions(enabled, last.addresses, fields, refusals, bodies) : this;
  }
}
