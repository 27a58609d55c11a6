package io.weir.quarkus.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;
import io.weir.grpc.CallPrincipal;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Finds whom Quarkus Security signs in for a call. That happens once, however many ask.
 *
 * <p>Safe for concurrent use.
 */
final class IdentityPrincipal implements CallPrincipal {
  @Override
  public CompletionStage<Optional<Principal>> find(ServerCall<?, ?> call, Metadata headers) {
    InstanceHandle<CurrentIdentityAssociation> association =
        Arc.container().instance(CurrentIdentityAssociation.class);
    if (!association.isAvailable() || !Arc.container().requestContext().isActive()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    CurrentIdentityAssociation current = association.get();
    Uni<SecurityIdentity> once = current.getDeferredIdentity().memoize().indefinitely();
    CompletableFuture<SecurityIdentity> identity = once.subscribeAsCompletionStage();
    if (identity.isDone() && !identity.isCompletedExceptionally()) {
      current.setIdentity(identity.join()); // one that is known may be read in event loops
    } else {
      current.setIdentity(once);
    }
    return identity
        .thenApply(IdentityPrincipal::principal)
        .exceptionally(invalid -> Optional.empty()); // such a credential signs nobody in
  }

  private static Optional<Principal> principal(SecurityIdentity identity) {
    return identity.isAnonymous() ? Optional.empty() : Optional.of(identity.getPrincipal());
  }
}
