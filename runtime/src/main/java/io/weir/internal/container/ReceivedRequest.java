package io.weir.internal.container;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a request as the servlet container received it, below all wrappers that filters have put
 * around it. A filter may take the address from a header field that any caller can send, as
 * Spring's {@code ForwardedHeaderFilter} does, and hide the field. The container may do the same to
 * its own request; where an {@link Arrival} was noted before that, it applies.
 */
public final class ReceivedRequest {
  private ReceivedRequest() {}

  /**
   * Finds the container's own request.
   *
   * @return the innermost request; the same if nothing wraps it
   */
  public static HttpServletRequest of(HttpServletRequest request) {
    ServletRequest each = request;
    while (each instanceof ServletRequestWrapper wrapper) {
      each = wrapper.getRequest();
    }
    return each instanceof HttpServletRequest http ? http : request;
  }

  /**
   * Finds what reports another address than the connection has: a wrapper, or the container.
   *
   * @return the name of its class; empty if all report the same
   */
  public static Optional<String> addressWrapper(HttpServletRequest request) {
    try {
      String seen = request.getRemoteAddr();
      ServletRequest each = request;
      while (each instanceof ServletRequestWrapper wrapper) {
        if (!Objects.equals(wrapper.getRequest().getRemoteAddr(), seen)) {
          return Optional.of(wrapper.getClass().getName());
        }
        each = wrapper.getRequest();
      }
      @Nullable Arrival arrival = arrival(each);
      return arrival == null || arrival.address().equals(seen)
          ? Optional.empty()
          : Optional.of(each.getClass().getName());
    } catch (RuntimeException | LinkageError failure) {
      return Optional.empty(); // of a wrapper that isn't asked for anything else
    }
  }

  /**
   * Reads the peer's address.
   *
   * @return the connection's if it was noted, else the container's; null if neither knows it
   */
  public static @Nullable String address(HttpServletRequest received) {
    @Nullable Arrival arrival = arrival(received);
    return arrival == null ? received.getRemoteAddr() : arrival.address();
  }

  /**
   * Reads a header field in which proxies report addresses.
   *
   * @param field the name of the field in any case
   * @return the values as they were received, one for each line
   */
  public static List<String> reported(HttpServletRequest received, String field) {
    @Nullable Arrival arrival = arrival(received);
    return arrival == null ? values(received, field) : arrival.values(field);
  }

  private static @Nullable Arrival arrival(ServletRequest received) {
    return Arrival.in(received.getAttribute(Arrival.ATTRIBUTE));
  }

  /** Reads the peer; empty if the container doesn't know its address. */
  static Optional<Peer> peer(HttpServletRequest request) {
    HttpServletRequest received = of(request);
    @Nullable String address = address(received);
    return address == null
        ? Optional.empty()
        : Optional.of(new Peer(address, hidden(request, received), addressWrapper(request)));
  }

  private static Map<String, List<String>> hidden(
      HttpServletRequest seen, HttpServletRequest received) {
    if (seen == received && arrival(received) == null) {
      return Map.of();
    }
    Map<String, List<String>> hidden = new HashMap<>();
    for (String field : Peer.FIELDS) {
      List<String> values = reported(received, field);
      if (!values.equals(values(seen, field))) {
        hidden.put(field, values);
      }
    }
    return hidden;
  }

  private static List<String> values(HttpServletRequest request, String field) {
    @Nullable Enumeration<String> values = request.getHeaders(field);
    return values == null ? List.of() : Collections.list(values);
  }
}
