package io.weir.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;

/** An application that serves the {@link Shop}. */
final class ShopServer implements AutoCloseable {
  private final EmbeddedServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  ShopServer(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("micronaut.server.port", -1);
    all.put("micronaut.server.host", "127.0.0.1");
    all.put("test.shop", "true");
    all.put("weir.proxy.trusted", "127.0.0.1");
    all.put("weir.store.timeout", "10s");
    all.put("micronaut.server.client-address-header", "X-Client-Address");
    all.put("micronaut.security.intercept-url-map[0].pattern", "/shop/**");
    all.put("micronaut.security.intercept-url-map[0].access", "isAnonymous()");
    server = ApplicationContext.run(EmbeddedServer.class, all);
  }

  <T> T bean(Class<T> type) {
    return server.getApplicationContext().getBean(type);
  }

  int port() {
    return server.getPort();
  }

  /** Makes a request of a caller with an address. */
  HttpRequest.Builder request(String path, String address) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getPort() + path))
        .header("X-Forwarded-For", address);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path, String address) throws IOException, InterruptedException {
    return send(request(path, address));
  }

  @Override
  public void close() {
    server.close();
  }
}
