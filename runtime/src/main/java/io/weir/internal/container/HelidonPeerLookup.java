package io.weir.internal.container;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.jspecify.annotations.Nullable;

/**
 * Reads the peer's address from Helidon, if its Jersey runs the application. By reflection, since
 * Helidon's classes need a newer Java than Weir's.
 *
 * <p>Safe for concurrent use.
 */
final class HelidonPeerLookup extends JerseyPeerLookup<Object> {
  static final String REQUEST = "io.helidon.webserver.http.ServerRequest";
  private static final String PEER = "io.helidon.common.socket.PeerInfo";

  HelidonPeerLookup(InjectionManager injection) throws ReflectiveOperationException {
    super(injection, new RefOf(Class.forName(REQUEST, false, loader())));
  }

  private static @Nullable ClassLoader loader() {
    return HelidonPeerLookup.class.getClassLoader();
  }

  @Override
  @Nullable String address(Object request) {
    try {
      Object peer = Class.forName(REQUEST, false, loader()).getMethod("remotePeer").invoke(request);
      return (String) Class.forName(PEER, false, loader()).getMethod("host").invoke(peer);
    } catch (ReflectiveOperationException otherVersion) {
      return null;
    }
  }

  /** The type {@code Ref<request>}. */
  private record RefOf(Class<?> request) implements ParameterizedType {
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
