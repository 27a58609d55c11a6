package io.weir.internal.control.access;

import io.weir.internal.control.settings.ControlSettings;
import io.weir.internal.module.Setting;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Knows the host names and origins at which browsers reach this server: the current values of
 * {@code weir.control.hosts} and {@code weir.control.origin}.
 *
 * <p>Safe for concurrent use.
 */
public final class ServerOrigins {
  private static final String HEADER = "X-Weir";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final UnaryOperator<String> settings;

  /** Reads both settings with each call. */
  public ServerOrigins(UnaryOperator<String> settings) {
    this.settings = settings;
  }

  boolean namesHosts() {
    return !words(ControlSettings.HOSTS).isEmpty();
  }

  /**
   * Returns whether a request was sent to a name of this server. With DNS rebinding, another site's
   * name resolves to this server's address.
   *
   * @param host the field {@code Host}, with a port or without
   * @return true for loopback, too; false if the field is missing
   */
  public boolean hasHost(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':', lower.indexOf(']') + 1); // after the bracket of an IPv6 address
    String name = colon < 0 ? lower : lower.substring(0, colon);
    return isLoopback(name) || words(ControlSettings.HOSTS).contains(name);
  }

  /**
   * Returns true for {@code localhost}, {@code 127.0.0.1} and {@code [::1]}.
   *
   * @param host without a port; an IPv6 address in brackets
   */
  public static boolean isLoopback(String host) {
    return LOOPBACK.contains(host);
  }

  /**
   * Returns whether a page of this server sent a request. If no origin is set, the server's own is
   * made of scheme and host.
   *
   * @return false if the field {@code Origin} is missing
   */
  public boolean hasOrigin(@Nullable String origin, String scheme, @Nullable String host) {
    if (origin == null) {
      return false;
    }
    List<String> own = words(ControlSettings.ORIGIN);
    return own.isEmpty()
        ? host != null && origin.equalsIgnoreCase(scheme + "://" + host)
        : own.contains(origin.toLowerCase(Locale.ROOT));
  }

  /** Returns whether a request has the field that no form can send: {@code X-Weir} is 1. */
  public static boolean isMarked(UnaryOperator<@Nullable String> header) {
    return "1".equals(header.apply(HEADER));
  }

  /**
   * Returns whether all its origins use TLS, which may end at a proxy; false if no origin is set.
   */
  public boolean isSecure() {
    List<String> own = words(ControlSettings.ORIGIN);
    return !own.isEmpty() && own.stream().allMatch(each -> each.startsWith("https://"));
  }

  private List<String> words(Setting<String> setting) {
    String all = setting.read(settings).toLowerCase(Locale.ROOT);
    return Arrays.stream(all.split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }
}
