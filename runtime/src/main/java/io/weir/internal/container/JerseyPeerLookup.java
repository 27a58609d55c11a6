package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.GenericType;
import java.lang.reflect.Type;
import java.util.Optional;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the container that Jersey runs in. It asks Jersey for a reference
 * to the container's request, and only if a policy needs the address: injecting the request would
 * cost more than the rest of a decision, for each request and at start-up.
 *
 * <p>Safe for concurrent use.
 *
 * @param <R> the container's kind of request
 */
abstract class JerseyPeerLookup<R> implements PeerLookup {
  private final InjectionManager injection;
  private final Type reference;

  JerseyPeerLookup(InjectionManager injection, GenericType<Ref<R>> reference) {
    this.injection = injection;
    this.reference = reference.getType();
  }

  abstract @Nullable String address(R request);

  /**
   * Whether the container runs the application: each binds the reference before features are
   * configured. Where there is no request, reading a bound one fails, and an unbound one is null.
   */
  final boolean isBound() {
    try {
      return injection.getInstance(reference) != null;
    } catch (RuntimeException | LinkageError outsideOfRequests) {
      return true;
    }
  }

  @Override
  public final Optional<String> of(ContainerRequestContext context) {
    try {
      @Nullable Ref<R> known = injection.getInstance(reference);
      @Nullable R request = known == null ? null : known.get();
      return request == null ? Optional.empty() : Optional.ofNullable(address(request));
    } catch (RuntimeException | LinkageError another) {
      // This container is on the class path, but another one runs the application.
      return Optional.empty();
    }
  }
}
