package io.weir.quarkus.grpc;

import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import io.weir.adapter.RequestValues;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * A call of gRPC as the request of HTTP that carries it, before gRPC has read it. It can be closed
 * by a status, and nothing else.
 *
 * <p>Used by the event loop of the request.
 */
final class HttpCall<Q, R> extends ServerCall<Q, R> {
  private static final int FIRST_PRINTABLE = 0x20;
  private static final int LAST_PRINTABLE = 0x7e;

  private final HttpServerRequest request;
  private final MethodDescriptor<Q, R> method;

  HttpCall(HttpServerRequest request, MethodDescriptor<Q, R> method) {
    this.request = request;
    this.method = method;
  }

  /** Reads the metadata of a request: all of its fields. Malformed ones count as missing. */
  static Metadata metadata(HttpServerRequest request) {
    Metadata metadata = new Metadata();
    for (Map.Entry<String, String> each : request.headers()) {
      RequestValues.read(
          () -> {
            put(each.getKey(), each.getValue(), metadata);
            return metadata;
          });
    }
    return metadata;
  }

  /**
   * Adds a field.
   *
   * @throws IllegalArgumentException if it is malformed, or one that only HTTP has
   */
  private static void put(String name, String value, Metadata metadata) {
    if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
      metadata.put(
          Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER),
          Base64.getDecoder().decode(value));
    } else {
      metadata.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }
  }

  @Override
  public Attributes getAttributes() {
    SocketAddress address = request.connection().remoteAddress();
    return address != null && address.isInetSocket()
        ? Attributes.newBuilder()
            .set(
                Grpc.TRANSPORT_ATTR_REMOTE_ADDR,
                new InetSocketAddress(address.hostAddress(), address.port()))
            .build()
        : Attributes.EMPTY;
  }

  @Override
  public String getAuthority() {
    return request.authority() == null ? "" : request.authority().toString();
  }

  @Override
  public MethodDescriptor<Q, R> getMethodDescriptor() {
    return method;
  }

  /** Ends the call by a response that has no body, as gRPC knows it. */
  @Override
  public void close(Status status, Metadata trailers) {
    HttpServerResponse response = request.response();
    if (response.headWritten()) {
      return;
    }
    response.putHeader("content-type", "application/grpc");
    response.putHeader("grpc-status", Integer.toString(status.getCode().value()));
    if (status.getDescription() != null) {
      response.putHeader("grpc-message", encoded(status.getDescription()));
    }
    for (String name : trailers.keys()) {
      if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
        byte[] value = trailers.get(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER));
        response.putHeader(name, Base64.getEncoder().withoutPadding().encodeToString(value));
      } else {
        response.putHeader(
            name, trailers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
      }
    }
    var unused = response.end();
  }

  /** Encodes a text for a field of HTTP as gRPC does. */
  private static String encoded(String text) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each < FIRST_PRINTABLE || each > LAST_PRINTABLE || each == '%') {
        encoded.append('%');
        encoded.append(Character.toUpperCase(Character.forDigit(each >> 4 & 0xf, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(each & 0xf, 16)));
      } else {
        encoded.append((char) each);
      }
    }
    return encoded.toString();
  }

  @Override
  public boolean isCancelled() {
    return request.response().closed();
  }

  @Override
  public void request(int messages) {}

  @Override
  public void sendHeaders(Metadata headers) {}

  @Override
  public void sendMessage(R message) {}
}
