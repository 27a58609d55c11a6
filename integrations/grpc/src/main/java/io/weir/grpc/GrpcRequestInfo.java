package io.weir.grpc;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.weir.adapter.Adapter;
import io.weir.adapter.RequestValues;
import io.weir.spi.RequestInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a call for policies. Malformed input counts as missing; reading never throws.
 *
 * <p>Used by one thread after the other.
 */
final class GrpcRequestInfo implements RequestInfo {
  /** gRPC sends every call by it. */
  static final String HTTP_METHOD = "POST";

  private final Adapter adapter;
  private final ServerCall<?, ?> call;
  private final Metadata headers;
  private final String path;
  private volatile Optional<String> user = Optional.empty();
  private volatile Optional<String> issuer = Optional.empty();

  GrpcRequestInfo(Adapter adapter, ServerCall<?, ?> call, Metadata headers, String path) {
    this.adapter = adapter;
    this.call = call;
    this.headers = headers;
    this.path = path;
  }

  void setUser(Optional<String> name, Optional<String> from) {
    user = name;
    issuer = name.isPresent() ? from : Optional.empty();
  }

  @Override
  public String method() {
    return HTTP_METHOD;
  }

  @Override
  public String endpoint() {
    return path;
  }

  @Override
  public String mapping() {
    return path;
  }

  @Override
  public boolean mayBeLeftOut() {
    return RequestValues.mayBeLeftOut(headers.keys(), null);
  }

  @Override
  public List<String> headers(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("host")) {
      return RequestValues.read(call::getAuthority).map(List::of).orElse(List.of());
    }
    return RequestValues.trim(
        RequestValues.read(
                () ->
                    lower.endsWith(Metadata.BINARY_HEADER_SUFFIX)
                        ? binary(lower)
                        : values(Metadata.Key.of(lower, Metadata.ASCII_STRING_MARSHALLER)))
            .orElse(List.of()));
  }

  private <T> List<T> values(Metadata.Key<T> key) {
    List<T> found = new ArrayList<>();
    @Nullable Iterable<T> all = headers.getAll(key);
    if (all != null) {
      all.forEach(found::add);
    }
    return found;
  }

  /** Returns the values as they are sent, without padding. */
  private List<String> binary(String name) {
    return values(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER)).stream()
        .map(Base64.getEncoder().withoutPadding()::encodeToString)
        .toList();
  }

  @Override
  public Optional<String> user() {
    return user;
  }

  @Override
  public Optional<String> issuer() {
    return issuer;
  }

  @Override
  public Optional<String> peer() {
    return adapter.findsPeer() ? adapter.peer(call).or(this::connected) : connected();
  }

  private Optional<String> connected() {
    return RequestValues.read(
        () -> {
          @Nullable SocketAddress peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
          if (peer instanceof InetSocketAddress inet) {
            return inet.getAddress() == null ? null : inet.getAddress().getHostAddress();
          }
          // A socket of the system, by Netty, also in a package of another name, or the JDK.
          return peer != null && peer.getClass().getSimpleName().contains("DomainSocketAddress")
              ? ""
              : null;
        });
  }

  @Override
  public Optional<String> address() {
    return adapter.address(this);
  }
}
