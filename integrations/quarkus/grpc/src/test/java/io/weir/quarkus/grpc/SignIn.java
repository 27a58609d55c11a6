package io.weir.quarkus.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.quarkus.grpc.GlobalInterceptor;
import io.weir.grpc.CallUser;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Signs in whoever names a user, as an interceptor of an application would. */
@GlobalInterceptor
@Singleton
public class SignIn implements ServerInterceptor {
  private static final Context.Key<String> USER = Context.key("user");
  private static final Metadata.Key<String> NAME =
      Metadata.Key.of("user", Metadata.ASCII_STRING_MARSHALLER);

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    return Contexts.interceptCall(
        Context.current().withValue(USER, headers.get(NAME)), call, headers, next);
  }

  /** Tells Weir the user. */
  @Singleton
  public static class User implements CallUser {
    @Override
    public Optional<String> name(ServerCall<?, ?> call, Metadata headers) {
      return Optional.ofNullable(USER.get());
    }
  }
}
