package io.weir.quarkus.deployment;

import io.quarkus.vertx.http.runtime.filters.Filters;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Routes a request again, to the path that {@code X-Reroute} names. */
@Singleton
public class Rerouting {
  void register(@Observes Filters filters) {
    filters.register(
        routing -> {
          String path = routing.request().getHeader("X-Reroute");
          if (path == null || path.equals(routing.normalizedPath())) {
            routing.next();
          } else {
            routing.reroute(path);
          }
        },
        10);
  }
}
