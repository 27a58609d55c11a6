package io.weir.internal.control.rest;

import io.weir.internal.control.json.InvalidFieldException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The headers in which a gateway describes a request. Gateways forward all headers of a client, so
 * a client may add those of another gateway. A request with both kinds is rejected, unless a
 * setting names the kind that counts.
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

  @FunctionalInterface
  interface Lines {
    @Nullable List<String> of(String header);
  }

  static GatewayHeaders of(String setting, Lines lines) {
    if (!setting.equals("either")) {
      return valueOf(setting.toUpperCase(Locale.ROOT));
    }
    boolean forwarded = FORWARDED.areIn(lines);
    if (forwarded && ORIGINAL.areIn(lines)) {
      throw new InvalidFieldException(
          ORIGINAL.uri,
          "must not be sent together with the X-Forwarded- headers; set weir.control.forward.by to"
              + " the ones that count");
    }
    return forwarded ? FORWARDED : ORIGINAL;
  }

  private boolean areIn(Lines lines) {
    return lines.of(method) != null || lines.of(uri) != null;
  }

  String method(Lines lines) {
    return singleValue(method, lines);
  }

  String uri(Lines lines) {
    return singleValue(uri, lines);
  }

  /** Returns the one value of a header: of two values, one isn't the gateway's. */
  private static String singleValue(String header, Lines lines) {
    List<String> values = lines.of(header);
    if (values == null || values.size() != 1 || values.get(0).isBlank()) {
      throw new InvalidFieldException(header, "must be sent exactly once, by the gateway");
    }
    return values.get(0).strip();
  }
}
