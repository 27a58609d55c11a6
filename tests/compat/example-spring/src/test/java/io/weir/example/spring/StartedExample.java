package io.weir.example.spring;

import io.weir.Ticker;
import io.weir.compat.example.ExampleServer.Started;
import java.net.URI;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts the example as its main method does, on a free port and with another clock. */
final class StartedExample {
  private StartedExample() {}

  static Started start(Ticker ticker, Map<String, String> settings) {
    SpringApplication application = new SpringApplication(SpringExample.class);
    application.addInitializers(
        context -> context.getBeanFactory().registerSingleton("ticker", ticker));
    ConfigurableApplicationContext context =
        application.run(
            Stream.concat(
                    Stream.of("--server.port=0"),
                    settings.entrySet().stream()
                        .map(each -> "--" + each.getKey() + "=" + each.getValue()))
                .toArray(String[]::new));
    String port = context.getEnvironment().getProperty("local.server.port");
    return new Started(URI.create("http://127.0.0.1:" + port + "/"), context);
  }
}
