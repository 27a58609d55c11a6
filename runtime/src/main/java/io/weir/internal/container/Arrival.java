package io.weir.internal.container;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a web server knew of a request before it applied header fields of the caller to it:
 * the address of the connection, and the fields in which proxies report addresses. A part of the
 * server leaves it in an attribute of the request, where callers can't put anything.
 *
 * <p>Immutable.
 *
 * @param address the address of the connection's peer as text
 * @param reported the values of {@code X-Forwarded-For} and {@code Forwarded}, by names in lower
 *     case; without those that weren't sent
 */
public record Arrival(String address, Map<String, List<String>> reported) {
  public static final String ATTRIBUTE = "io.weir.servlet.ServletPeer";

  /**
   * Reads the fields.
   *
   * @param headers finds the values of a header field by its name in lower case
   */
  public static Arrival of(String address, Function<String, List<String>> headers) {
    Map<String, List<String>> reported = Map.of();
    for (String field : Peer.FIELDS) {
      List<String> values = headers.apply(field);
      if (!values.isEmpty()) {
        reported = reported.isEmpty() ? new HashMap<>() : reported;
        reported.put(field, List.copyOf(values));
      }
    }
    return new Arrival(address, reported);
  }

  /** Reads the value of the attribute; null if it is anything else. */
  static @Nullable Arrival in(@Nullable Object attribute) {
    return attribute instanceof Arrival arrival ? arrival : null;
  }

  /** Returns the values of one of the fields, in any case; empty if it wasn't sent. */
  List<String> values(String field) {
    return reported.isEmpty()
        ? List.of()
        : reported.getOrDefault(field.toLowerCase(Locale.ROOT), List.of());
  }
}
