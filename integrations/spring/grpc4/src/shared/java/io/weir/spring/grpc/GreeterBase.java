package io.weir.spring.grpc;

import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A service as gRPC's generator makes it, but of plain texts. */
public abstract class GreeterBase implements BindableService {
  /** Begins as names of gRPC's own services do: only their classes are left out. */
  static final String SERVICE = "grpc.test.Greeter";

  static final MethodDescriptor<String, String> HELLO = method("SayHello", MethodType.UNARY);
  static final MethodDescriptor<String, String> CHAT = method("Chat", MethodType.BIDI_STREAMING);
  static final MethodDescriptor<String, String> SIGN_IN = method("SignIn", MethodType.UNARY);
  static final MethodDescriptor<String, String> FREE = method("Free", MethodType.UNARY);

  /** Writes a text as its bytes. */
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

  static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setType(type)
        .build();
  }

  /** Answers one text. */
  public abstract void sayHello(String name, StreamObserver<String> answer);

  /** Answers each text. */
  public abstract StreamObserver<String> chat(StreamObserver<String> answers);

  /** Answers one text. */
  public abstract void signIn(String name, StreamObserver<String> answer);

  /** Answers one text. */
  public abstract void free(String name, StreamObserver<String> answer);

  @Override
  public final ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(SERVICE)
        .addMethod(HELLO, ServerCalls.asyncUnaryCall(this::sayHello))
        .addMethod(CHAT, ServerCalls.asyncBidiStreamingCall(this::chat))
        .addMethod(SIGN_IN, ServerCalls.asyncUnaryCall(this::signIn))
        .addMethod(FREE, ServerCalls.asyncUnaryCall(this::free))
        .build();
  }
}
