package org.example.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.BindableService;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.grpc.RateLimitInterceptor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A service of gRPC with messages of its own kind, and without protobuf. */
class CallsTest {
  private static final MethodDescriptor<String, String> ORDER =
      MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
          .setFullMethodName("shop.Orders/Order")
          .setType(MethodDescriptor.MethodType.UNARY)
          .build();

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  public static final class Orders implements BindableService {
    @RateLimit(limit = 1, window = 3600, by = By.IP, name = "orders")
    public void order(String what, StreamObserver<String> answer) {
      answer.onNext(what);
      answer.onCompleted();
    }

    @Override
    public ServerServiceDefinition bindService() {
      return ServerServiceDefinition.builder("shop.Orders")
          .addMethod(ORDER, ServerCalls.asyncUnaryCall(this::order))
          .build();
    }
  }

  @Test
  void aRefusalNeedsNoProtobuf() throws Exception {
    assertThrows(
        ClassNotFoundException.class, () -> Class.forName("com.google.protobuf.MessageLite"));
    RateLimitInterceptor limits = RateLimitInterceptor.create();
    Server server =
        limits.start(
            InProcessServerBuilder.forName("shop").addService(limits.limit(new Orders())));
    ManagedChannel channel = InProcessChannelBuilder.forName("shop").build();
    try {
      assertEquals("tea", order(channel));
      StatusRuntimeException refused =
          assertThrows(StatusRuntimeException.class, () -> order(channel));
      assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getStatus().getCode());
      Metadata trailers = refused.getTrailers();
      assertTrue(
          trailers != null
              && trailers.containsKey(
                  Metadata.Key.of("grpc-status-details-bin", Metadata.BINARY_BYTE_MARSHALLER)));
    } finally {
      channel.shutdownNow();
      server.shutdownNow().awaitTermination();
      limits.close();
    }
  }

  private static String order(ManagedChannel channel) {
    return ClientCalls.blockingUnaryCall(channel, ORDER, CallOptions.DEFAULT, "tea");
  }
}
