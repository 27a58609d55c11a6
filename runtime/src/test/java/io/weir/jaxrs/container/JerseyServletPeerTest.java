package io.weir.jaxrs.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import jakarta.inject.Provider;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.HashMap;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.glassfish.jersey.internal.util.collection.Refs;
import org.glassfish.jersey.server.ContainerRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JerseyServletPeerTest {
  private static final URI HERE = URI.create("http://localhost/");

  private static @Nullable Object peer(Provider<Ref<HttpServletRequest>> requests) {
    ContainerRequest context =
        new ContainerRequest(
            HERE, HERE, "GET", null, new MapPropertiesDelegate(new HashMap<>()), null);
    new JerseyServletPeer(requests).filter(context);
    return context.getProperty(Containers.PEER);
  }

  private static HttpServletRequest from(String address) {
    return (HttpServletRequest)
        Proxy.newProxyInstance(
            HttpServletRequest.class.getClassLoader(),
            new Class<?>[] {HttpServletRequest.class},
            (proxy, method, arguments) ->
                method.getName().equals("getRemoteAddr") ? address : null);
  }

  @Test
  void readsTheAddressOfWhatTheReferenceRefersTo() {
    assertEquals("192.0.2.1", peer(() -> Refs.of(from("192.0.2.1"))));
  }

  @Test
  void knowsNoPeerWhereJerseyRunsInNoServlet() {
    assertNull(peer(Refs::emptyRef));
    assertNull(
        peer(
            () -> {
              throw new IllegalStateException("nothing of that type");
            }));
  }
}
