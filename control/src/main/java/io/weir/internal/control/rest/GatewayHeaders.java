package io.weir.internal.control.rest;

import io.weir.internal.control.json.InvalidFieldException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * By which headers a gateway describes the request that it asks about. Gateways pass on what
 * clients send, so a client may add those of another gateway: both kinds in one request are
 * refused, unless a setting names the one that counts.
 */
enum GatewayHeaders {
  /** Traefik and Caddy. */
  FORWARDED("X-Forwarded-Method", "X-Forwarded-Uri"),
  /** nginx. */
  ORIGINAL("X-Original-Method", "X-Original-URI");

  private final String method;
  private final String uri;

  GatewayHeaders(String method, String uri) {
    this.method = method;
    this.uri = uri;
  }

  /** Finds a header's lines. */
  @FunctionalInterface
  interface Lines {
    @Nullable List<String> of(String header);
  }

  /** The ones of a request. */
  static GatewayHeaders of(String setting, Lines lines) {
    if (!setting.equals("either")) {
      return valueOf(setting.toUpperCase(Locale.ROOT));
    }
    boolean forwarded = FORWARDED.areIn(lines);
    if (forwarded && ORIGINAL.areIn(lines)) {
      throw new InvalidFieldException(
          ORIGINAL.uri,
          "must not come with those of another gateway; weir.control.forward.by says which count");
    }
    return forwarded ? FORWARDED : ORIGINAL;
  }

  private boolean areIn(Lines lines) {
    return lines.of(method) != null || lines.of(uri) != null;
  }

  String method(Lines lines) {
    return only(method, lines);
  }

  String uri(Lines lines) {
    return only(uri, lines);
  }

  /** The one value of a header: of two, one isn't the gateway's. */
  private static String only(String header, Lines lines) {
    List<String> values = lines.of(header);
    if (values == null || values.size() != 1 || values.get(0).isBlank()) {
      throw new InvalidFieldException(header, "must be sent once, by the gateway");
    }
    return values.get(0).strip();
  }
}
