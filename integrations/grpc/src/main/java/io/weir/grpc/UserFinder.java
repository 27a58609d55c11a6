package io.weir.grpc;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.weir.adapter.Adapter;
import io.weir.spi.UserNames;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Tells each request its user, whom the application's function names or finds.
 *
 * <p>Safe for concurrent use.
 */
final class UserFinder {
  /** Has nothing to wait for. */
  static final CompletableFuture<?> DONE = CompletableFuture.completedFuture(null);

  private static final System.Logger LOG = System.getLogger(RateLimitInterceptor.class.getName());

  private final UserNames names;
  private final CallUser user;

  /** Finds users in place of the other function; null if that names them. */
  private final @Nullable CallPrincipal principal;

  private final AtomicBoolean warned = new AtomicBoolean();

  UserFinder(Adapter adapter, CallUser user, @Nullable CallPrincipal principal) {
    this.names = adapter.userNames();
    this.user = user;
    this.principal = principal;
  }

  /**
   * Finds the user of a call.
   *
   * @param info the request, which has its user when the future is done
   * @return never completed exceptionally
   */
  CompletableFuture<?> find(GrpcRequestInfo info, ServerCall<?, ?> call, Metadata headers) {
    try {
      if (principal != null) {
        return found(info, principal.find(call, headers).toCompletableFuture());
      }
      set(info, user.name(call, headers), user.issuer(call, headers));
    } catch (RuntimeException | LinkageError failure) {
      fail(info, failure);
    }
    return DONE;
  }

  private CompletableFuture<?> found(
      GrpcRequestInfo info, CompletableFuture<Optional<Principal>> finding) {
    if (finding.isDone() && !finding.isCompletedExceptionally()) {
      set(info, finding.join());
      return DONE;
    }
    return finding
        .thenAccept(each -> set(info, each))
        .exceptionally(
            failure -> {
              fail(info, failure);
              return null;
            });
  }

  private void set(GrpcRequestInfo info, Optional<Principal> signedIn) {
    set(info, signedIn.flatMap(names::name), signedIn.flatMap(names::issuer));
  }

  @SuppressWarnings("ConstantValue") // the application's function may return null
  private static void set(GrpcRequestInfo info, Optional<String> name, Optional<String> issuer) {
    info.setUser(
        name == null ? Optional.empty() : name, issuer == null ? Optional.empty() : issuer);
  }

  private void fail(GrpcRequestInfo info, Throwable failure) {
    info.setUser(Optional.empty(), Optional.empty());
    if (warned.compareAndSet(false, true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "The "
              + (principal == null ? "CallUser" : "CallPrincipal")
              + " of the RateLimitInterceptor failed, so the call counts as one without a user"
              + " (logged once)",
          failure);
    }
  }
}
