package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.ApplicationEventListener;
import io.micronaut.http.context.event.HttpRequestTerminatedEvent;
import io.micronaut.web.router.Router;
import jakarta.inject.Singleton;

/** Ends requests without a complete response, such as those whose connection broke. */
@Singleton
@Requires(classes = Router.class, beans = Router.class)
final class RequestEnd implements ApplicationEventListener<HttpRequestTerminatedEvent> {
  @Override
  public void onApplicationEvent(HttpRequestTerminatedEvent event) {
    LimitedHttp.in(event.getSource()).ifPresent(LimitedHttp::ended);
  }
}
