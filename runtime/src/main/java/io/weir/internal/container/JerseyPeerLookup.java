package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.GenericType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.Function;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the container that Jersey runs in. It gets a reference to the
 * container's request from Jersey, and only if a policy needs the address, or a body was refused:
 * injecting the request would cost more than the rest of a decision, for each request and at
 * start-up.
 *
 * <p>Safe for concurrent use.
 *
 * @param <R> the container's type of request
 */
abstract class JerseyPeerLookup<R> implements PeerLookup {
  private final InjectionManager injection;
  private final Type reference;

  JerseyPeerLookup(InjectionManager injection, GenericType<Ref<R>> reference) {
    this(injection, reference.getType());
  }

  /** For a container whose type of request is known by name only. */
  JerseyPeerLookup(InjectionManager injection, Type reference) {
    this.injection = injection;
    this.reference = reference;
  }

  abstract Optional<Peer> peer(R request);

  /**
   * Returns whether the container runs the application: each container binds the reference before
   * features are configured. Outside of requests, reading a bound reference fails, and an unbound
   * one is null.
   */
  final boolean isBound() {
    try {
      return injection.getInstance(reference) != null;
    } catch (RuntimeException | LinkageError outsideOfRequests) {
      return true;
    }
  }

  @Override
  public final Optional<Peer> of(ContainerRequestContext context) {
    return read(this::peer);
  }

  /** Does as {@link #closesUnannounced} for a request of the container. */
  boolean leavesBody(R request) {
    return false;
  }

  @Override
  public final boolean closesUnannounced(ContainerRequestContext context) {
    return read(request -> Optional.of(leavesBody(request))).orElse(false);
  }

  private <T> Optional<T> read(Function<R, Optional<T>> reader) {
    try {
      @Nullable Ref<R> known = injection.getInstance(reference);
      @Nullable R request = known == null ? null : known.get();
      return request == null ? Optional.empty() : reader.apply(request);
    } catch (RuntimeException | LinkageError otherContainer) {
      // The container is on the class path but doesn't run the application.
      return Optional.empty();
    }
  }
}
