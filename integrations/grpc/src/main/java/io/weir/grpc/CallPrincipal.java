package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Finds the user of a call where that may take time, such as for a sign-in which asks a database
 * once somebody wants to know the user. Where the user is known at once, {@link CallUser} is
 * simpler.
 *
 * <p>Called as {@link CallUser} is, and no thread waits for the stage: the events of the call are
 * kept in order meanwhile. If it throws, returns null or fails, the caller counts as one without a
 * user, and the first failure is logged. The names of users are those that the {@link
 * io.weir.spi.UserNames} of the Weir gives.
 *
 * <p>Safe for concurrent use.
 */
@FunctionalInterface
public interface CallPrincipal {
  /**
   * Finds the user.
   *
   * @param call the call as the interceptors have left it
   * @param headers its metadata as the interceptors have left it
   * @return the user; empty for a caller that hasn't signed in, which counts by address
   */
  CompletionStage<Optional<Principal>> find(ServerCall<?, ?> call, Metadata headers);
}
