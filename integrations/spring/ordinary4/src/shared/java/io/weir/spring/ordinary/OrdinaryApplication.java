package io.weir.spring.ordinary;

import io.weir.compat.postgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The application. It says nothing of Weir, and switches nothing off. */
@SpringBootApplication
class OrdinaryApplication {
  /** Returns the address of a new database with a table that has a row. */
  static String databaseWithTable() {
    String url = PostgresServer.shared().newDatabase();
    Jdbc.run(url, "CREATE TABLE orders (id INT)", "INSERT INTO orders VALUES (1)");
    return url;
  }

  /** Starts it with a database, and more settings as in {@code --name=value}. */
  static ConfigurableApplicationContext start(String url, String... settings) {
    return new SpringApplicationBuilder(OrdinaryApplication.class)
        .properties(Map.of("server.port", "0", "spring.datasource.url", url))
        .run(settings);
  }

  /** Asks it as a browser does. */
  static HttpResponse<String> get(ConfigurableApplicationContext context, String path)
      throws Exception {
    String port = context.getEnvironment().getProperty("local.server.port");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
                .build(),
            BodyHandlers.ofString());
  }
}
