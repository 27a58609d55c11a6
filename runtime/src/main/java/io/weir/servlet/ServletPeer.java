package io.weir.servlet;

import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.internal.container.Arrival;
import io.weir.internal.container.IgnoredAddressWarning;
import io.weir.internal.container.Peer;
import io.weir.internal.container.ReceivedRequest;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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
 * <p>The container itself may apply such a header, too. A part of the server that runs before it
 * leaves the connection's own address by {@link #arrival} under {@link #ATTRIBUTE}.
 *
 * <p>Safe for concurrent use, as far as the request is.
 */
public final class ServletPeer {
  /** The attribute of the container's own request that holds what {@link #arrival} has read. */
  public static final String ATTRIBUTE = Arrival.ATTRIBUTE;

  private ServletPeer() {}

  /**
   * Reads a request before the server applies header fields of the caller to it.
   *
   * @param address the address of the connection's peer as text; blank for a Unix-domain socket
   * @param headers finds the values of a header field by its name in lower case, one for each line
   * @return what is to be set as {@link #ATTRIBUTE}
   */
  public static Object arrival(String address, Function<String, List<String>> headers) {
    return Arrival.of(address, headers);
  }

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
    return address(request);
  }

  /**
   * Reads the peer's address as the connection has it.
   *
   * @param request the request as the adapter gets it
   * @return the address as text; empty if the container doesn't know it
   */
  public static Optional<String> address(HttpServletRequest request) {
    return Optional.ofNullable(ReceivedRequest.address(ReceivedRequest.of(request)));
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
    if (Peer.isReportedIn(name)) {
      return RequestValues.trim(ReceivedRequest.reported(ReceivedRequest.of(request), name));
    }
    @Nullable Enumeration<String> values = request.getHeaders(name);
    return values == null ? List.of() : RequestValues.trim(Collections.list(values));
  }
}
