package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.util.Optional;

/**
 * Names the user of a call, since gRPC has none of its own: usually by what the application's
 * interceptor for the sign-in has left in the {@link io.grpc.Context}.
 *
 * <pre>{@code
 * (call, headers) -> Optional.ofNullable(SignIn.USER.get())
 * }</pre>
 *
 * <p>Called after the application's interceptors, in the thread and the context in which the
 * handler is about to run, so it must return at once. If it throws or returns null, the caller
 * counts as one without a user, and the first failure is logged.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface CallUser {
  /**
   * Names the user.
   *
   * @param call the call as the interceptors have left it
   * @param headers its metadata as the interceptors have left it
   * @return the name, the same for each call of the user; empty for a caller that hasn't signed in,
   *     which counts by address
   */
  Optional<String> name(ServerCall<?, ?> call, Metadata headers);

  /**
   * Names the issuer of the user's name, if several issuers may give one name to different users.
   *
   * @param call the call as the interceptors have left it
   * @param headers its metadata as the interceptors have left it
   * @return such as the {@code iss} of a token; empty unless overridden
   */
  default Optional<String> issuer(ServerCall<?, ?> call, Metadata headers) {
    return Optional.empty();
  }
}
