package io.weir.internal.container;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.HashMap;
import java.util.Optional;
import java.util.function.Supplier;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.internal.inject.InjectionManager;
import org.glassfish.jersey.internal.util.collection.Ref;
import org.glassfish.jersey.internal.util.collection.Refs;
import org.glassfish.jersey.server.ContainerRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JerseyServletPeerLookupTest {
  private static final URI HERE = URI.create("http://localhost/");

  private static Optional<String> peer(Supplier<@Nullable Ref<HttpServletRequest>> found) {
    ContainerRequest context =
        new ContainerRequest(
            HERE, HERE, "GET", null, new MapPropertiesDelegate(new HashMap<>()), null);
    return new JerseyServletPeerLookup(jersey(found)).of(context).map(Peer::address);
  }

  /** Has only a reference to a servlet's request. */
  private static InjectionManager jersey(Supplier<@Nullable Ref<HttpServletRequest>> found) {
    return (InjectionManager)
        Proxy.newProxyInstance(
            InjectionManager.class.getClassLoader(),
            new Class<?>[] {InjectionManager.class},
            (proxy, method, arguments) -> {
              ParameterizedType asked = (ParameterizedType) arguments[0];
              assertEquals(Ref.class, asked.getRawType());
              assertEquals(HttpServletRequest.class, asked.getActualTypeArguments()[0]);
              return found.get();
            });
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
    assertEquals(Optional.of("192.0.2.1"), peer(() -> Refs.of(from("192.0.2.1"))));
  }

  @Test
  void knowsNoPeerWhereJerseyRunsInNoServlet() {
    assertEquals(Optional.empty(), peer(() -> null));
    assertEquals(Optional.empty(), peer(Refs::emptyRef));
    assertEquals(
        Optional.empty(),
        peer(
            () -> {
              throw new IllegalStateException("nothing of that type");
            }));
  }
}
