package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.IgnoredAddressWarning;
import io.weir.internal.container.Peer;
import io.weir.internal.container.ReceivedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the servlet container knows of the connection's peer, for adapters of frameworks that
 * run on servlets: their {@code RequestInfo} returns it.
 *
 * <p>Filters of an application may wrap the request, report an address that any caller can send in
 * a header, and hide the header. So the address and the header fields that report addresses are
 * read from the container's own request. An application that trusts the address of a wrapper
 * returns it from a {@code PeerAddress}.
 *
 * <p>Safe for concurrent use, as far as the request is.
 */
public final class ServletPeer {
  private ServletPeer() {}

  /**
   * Reads the peer's address: from the {@code PeerAddress} of the application, which gets the
   * request as it is passed here, else from the container. If wrappers report another address and
   * settings name no proxy, logs that once for each class of wrapper.
   *
   * @param request the request as the adapter gets it
   * @param adapter the adapter
   * @return the address as text; empty if neither knows it
   */
  public static Optional<String> address(HttpServletRequest request, Adapter adapter) {
    if (adapter.findsPeer()) {
      Optional<String> given = adapter.peer(request);
      if (given.isPresent()) {
        return given;
      }
    }
    Optional<String> wrapper = ReceivedRequest.addressWrapper(request);
    if (wrapper.isPresent()) {
      IgnoredAddressWarning.note(wrapper.get(), adapter::setting);
    }
    return Optional.ofNullable(ReceivedRequest.of(request).getRemoteAddr());
  }

  /**
   * Reads a header field: {@code X-Forwarded-For} and {@code Forwarded} as the container has
   * received them, others as the adapter gets them.
   *
   * @param request the request as the adapter gets it
   * @param name the name of the field in any case
   * @return the values in order, one for each line, without white space around them
   */
  public static List<String> headers(HttpServletRequest request, String name) {
    HttpServletRequest source = Peer.isReportedIn(name) ? ReceivedRequest.of(request) : request;
    @Nullable Enumeration<String> values = source.getHeaders(name);
    return values == null ? List.of() : RequestValues.trim(Collections.list(values));
  }
}
