package io.weir.internal.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The names by which browsers may know the server, with or without their ports. A page of another
 * site whose name was made to lead here brings another one. Safe for concurrent use.
 */
public final class KnownHosts {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final Supplier<String> setting;

  /**
   * Takes those that a setting names at the moment.
   *
   * @param setting names between commas; loopback is always known
   */
  public KnownHosts(Supplier<String> setting) {
    this.setting = setting;
  }

  private Set<String> names() {
    return Arrays.stream(setting.get().toLowerCase(Locale.ROOT).split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Whether a request came by one of them.
   *
   * @param host what the field {@code Host} says
   * @return false for none
   */
  public boolean include(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String lower = host.toLowerCase(Locale.ROOT);
    int colon = lower.indexOf(':', lower.indexOf(']') + 1);
    String name = colon < 0 ? lower : lower.substring(0, colon);
    return LOOPBACK.contains(name) || names().contains(name);
  }
}
