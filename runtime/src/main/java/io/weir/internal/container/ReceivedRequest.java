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
 * Spring's {@code ForwardedHeaderFilter} does, and hide the field.
 */
public final class ReceivedRequest {
  private ReceivedRequest() {}

  /**
   * Finds the container's own request.
   *
   * @param request the request as a filter or servlet gets it
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
   * Finds the wrapper that reports another address than the container.
   *
   * @param request the request as a filter or servlet gets it
   * @return the name of its class; empty if all report the same
   */
  public static Optional<String> addressWrapper(HttpServletRequest request) {
    if (!(request instanceof ServletRequestWrapper)) {
      return Optional.empty();
    }
    try {
      String seen = request.getRemoteAddr();
      ServletRequest each = request;
      while (each instanceof ServletRequestWrapper wrapper) {
        if (!Objects.equals(wrapper.getRequest().getRemoteAddr(), seen)) {
          return Optional.of(wrapper.getClass().getName());
        }
        each = wrapper.getRequest();
      }
    } catch (RuntimeException | LinkageError failure) {
      return Optional.empty(); // of a wrapper that isn't asked for anything else
    }
    return Optional.empty();
  }

  /** Reads the peer; empty if the container doesn't know its address. */
  static Optional<Peer> peer(HttpServletRequest request) {
    HttpServletRequest received = of(request);
    @Nullable String address = received.getRemoteAddr();
    return address == null
        ? Optional.empty()
        : Optional.of(new Peer(address, hidden(request, received), addressWrapper(request)));
  }

  private static Map<String, List<String>> hidden(
      HttpServletRequest seen, HttpServletRequest received) {
    if (seen == received) {
      return Map.of();
    }
    Map<String, List<String>> hidden = new HashMap<>();
    for (String field : Peer.FIELDS) {
      List<String> values = values(received, field);
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
