package io.weir.quarkus.rest;

import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.RequestValues;
import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds whom a filter or Quarkus Security has signed in. */
final class SignedInUser {
  private SignedInUser() {}

  /**
   * Finds the user of a request, whom Quarkus Security perhaps signs in only when it is asked.
   *
   * @param context returns that of the request, as filters have set it
   */
  static CompletionStage<@Nullable Principal> of(
      Supplier<SecurityContext> context, RoutingContext routing) {
    @Nullable Principal known =
        RequestValues.read(() -> context.get().getUserPrincipal()).orElse(null);
    Uni<SecurityIdentity> deferred = routing.get(QuarkusHttpUser.DEFERRED_IDENTITY_KEY);
    if (known != null || deferred == null || routing.user() != null) {
      return CompletableFuture.completedFuture(known);
    }
    return deferred
        .onItem()
        .transform(identity -> identity.isAnonymous() ? null : identity.getPrincipal())
        .onFailure()
        .recoverWithNull() // a credential that isn't valid signs nobody in
        .subscribeAsCompletionStage();
  }
}
