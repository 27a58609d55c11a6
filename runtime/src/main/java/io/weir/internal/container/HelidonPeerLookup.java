package io.weir.internal.container;

import io.weir.internal.extension.ClassPresence;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from the web server of Helidon 4, if Jersey runs on it. Calls Helidon by
 * method handles, since its classes are newer than Java 17 and this class must compile without
 * them.
 *
 * <p>Safe for concurrent use.
 */
final class HelidonPeerLookup extends JerseyPeerLookup<Object> {
  private static final String REQUEST = "io.helidon.webserver.http.ServerRequest";
  private static final String PEER = "io.helidon.common.socket.PeerInfo";

  /** Takes a request and returns the address of the other end of its connection. */
  private final MethodHandle peerAddress;

  private HelidonPeerLookup(InjectionManager injection, Type reference, MethodHandle peerAddress) {
    super(injection, reference);
    this.peerAddress = peerAddress;
  }

  /** Makes the lookup; none if Helidon's web server isn't on the class path, or another version. */
  static Optional<HelidonPeerLookup> find(InjectionManager injection) {
    if (!ClassPresence.isPresent(REQUEST)) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(injection));
    } catch (ReflectiveOperationException | LinkageError otherVersion) {
      return Optional.empty();
    }
  }

  private static HelidonPeerLookup of(InjectionManager injection)
      throws ReflectiveOperationException {
    ClassLoader loader = HelidonPeerLookup.class.getClassLoader();
    Class<?> request = Class.forName(REQUEST, false, loader);
    Class<?> peer = Class.forName(PEER, false, loader);
    MethodHandles.Lookup lookup = MethodHandles.publicLookup();
    MethodHandle remotePeer =
        lookup.findVirtual(request, "remotePeer", MethodType.methodType(peer));
    MethodHandle address =
        lookup.findVirtual(peer, "address", MethodType.methodType(SocketAddress.class));
    return new HelidonPeerLookup(
        injection,
        new ReferenceType(request),
        MethodHandles.filterReturnValue(remotePeer, address)
            .asType(MethodType.methodType(SocketAddress.class, Object.class)));
  }

  @Override
  Optional<Peer> peer(Object request) {
    return remote(request) instanceof InetSocketAddress peer
        ? Peer.ofNullable(text(peer.getAddress()))
        : Optional.empty();
  }

  private SocketAddress remote(Object request) {
    try {
      return (SocketAddress) peerAddress.invokeExact(request);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable undeclared) {
      throw new IllegalStateException(undeclared);
    }
  }

  private static @Nullable String text(@Nullable InetAddress unlessUnresolved) {
    return unlessUnresolved == null ? null : unlessUnresolved.getHostAddress();
  }

  /** The type {@code Ref<ServerRequest>}, under which Helidon binds the request. */
  private record ReferenceType(Class<?> request) implements ParameterizedType {
    @Override
    public Type[] getActualTypeArguments() {
      return new Type[] {request};
    }

    @Override
    public Type getRawType() {
      return Ref.class;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return null;
    }
  }
}
