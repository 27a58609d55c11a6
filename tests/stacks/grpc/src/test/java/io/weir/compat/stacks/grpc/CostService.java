package io.weir.compat.stacks.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.weir.annotation.RateLimit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;

/** Answers as little as a service can. Runs without Weir too: Java skips missing annotations. */
public final class CostService implements BindableService {
  private static final String NAME = "weir.Cost";

  /** Its messages are texts, so that no code has to be generated. */
  private static final MethodDescriptor.Marshaller<String> TEXT =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(String text) {
          return new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
          try {
            return new String(stream.readAllBytes(), UTF_8);
          } catch (IOException failed) {
            throw new UncheckedIOException(failed);
          }
        }
      };

  /** Describes a method of this service for both sides. */
  static MethodDescriptor<String, String> method(String name) {
    return MethodDescriptor.newBuilder(TEXT, TEXT)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(NAME, name))
        .build();
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(NAME)
        .addMethod(method("free"), ServerCalls.asyncUnaryCall(this::free))
        .addMethod(method("admitted"), ServerCalls.asyncUnaryCall(this::admitted))
        .addMethod(method("refused"), ServerCalls.asyncUnaryCall(this::refused))
        .build();
  }

  public void free(String asked, StreamObserver<String> answer) {
    answer.onNext("hello, world");
    answer.onCompleted();
  }

  /** Never refused. */
  @RateLimit(limit = 1_000_000_000, window = 1, unit = ChronoUnit.MINUTES)
  public void admitted(String asked, StreamObserver<String> answer) {
    free(asked, answer);
  }

  /** Refused, all but the first call. */
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.DAYS)
  public void refused(String asked, StreamObserver<String> answer) {
    free(asked, answer);
  }
}
