package io.weir.internal.control.access;

import io.weir.internal.control.ControlSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The host names and origins by which browsers reach this server, as {@code weir.control.hosts} and
 * {@code weir.control.origin} have them at the moment.
 *
 * <p>Safe for concurrent use.
 */
public final class OwnSite {
  private static final String HEADER = "X-Weir";
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final UnaryOperator<String> settings;

  /**
   * Reads both settings whenever it is asked.
   *
   * @param settings the value of a setting by its name
   */
  public OwnSite(UnaryOperator<String> settings) {
    this.settings = settings;
  }

  /** Whether host names are set at all. */
  boolean namesHosts() {
    return !words(ControlSettings.HOSTS).isEmpty();
  }

  /**
   * Whether a request came by a name of this server. A page of another site whose name was made to
   * lead here brings another one.
   *
   * @param host what the field {@code Host} says, with a port or without
   * @return true of loopback too; false if there is none
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
   * Whether a host is this machine.
   *
   * @param host a name or an address, without a port; an IPv6 address in brackets
   * @return true of its usual name and of either kind of address
   */
  public static boolean isLoopback(String host) {
    return LOOPBACK.contains(host);
  }

  /**
   * Whether a page of this server has sent a request.
   *
   * @param origin what the field {@code Origin} says
   * @param scheme the one that the request came by
   * @param host what the field {@code Host} says
   * @return false if there is no origin; where none is set, scheme and host are the own one
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

  /**
   * Whether a request has the field that no form can send.
   *
   * @param header the value of a field by its name
   * @return true if {@code X-Weir} is 1
   */
  public static boolean isMarked(UnaryOperator<@Nullable String> header) {
    return "1".equals(header.apply(HEADER));
  }

  /**
   * Whether all its origins are reached by TLS, be it ended here or before.
   *
   * @return false if none is set
   */
  public boolean isSecure() {
    List<String> own = words(ControlSettings.ORIGIN);
    return !own.isEmpty() && own.stream().allMatch(each -> each.startsWith("https://"));
  }

  private List<String> words(String setting) {
    String all = settings.apply(setting).toLowerCase(Locale.ROOT);
    return Arrays.stream(all.split(","))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }
}
