package io.weir.internal.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Where the server's own pages come from: what {@code weir.control.origin} says, else scheme and
 * host of the request. Safe for concurrent use.
 */
final class PageOrigin {
  private final Supplier<String> setting;

  PageOrigin(Supplier<String> setting) {
    this.setting = setting;
  }

  private List<String> named() {
    return Arrays.stream(setting.get().toLowerCase(Locale.ROOT).split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }

  /** Whether a page of the server has sent the request: no form can send the second field. */
  boolean isOwn(HttpServletRequest request) {
    String origin = request.getHeader("Origin");
    if (origin == null || !"1".equals(request.getHeader("X-Weir"))) {
      return false;
    }
    List<String> named = named();
    return named.isEmpty()
        ? origin.equalsIgnoreCase(request.getScheme() + "://" + request.getHeader("Host"))
        : named.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Whether browsers reach the server by TLS, be it ended here or before. */
  boolean isSecure(HttpServletRequest request) {
    List<String> named = named();
    return request.isSecure()
        || !named.isEmpty() && named.stream().allMatch(each -> each.startsWith("https://"));
  }
}
