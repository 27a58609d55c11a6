package io.weir.micronaut;

import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A bean whose methods are limited. */
@Singleton
class Stock {
  @RateLimit(
      limit = 2,
      window = 60,
      by = {By.IP, By.KEY},
      key = "param:kind",
      name = "take")
  String take(String kind) {
    return kind;
  }

  String takeBySelfCall(String kind) {
    return take(kind);
  }

  @RateLimit(
      limit = 2,
      window = 60,
      by = {By.IP, By.KEY},
      key = "param:kind",
      name = "take-later")
  Mono<String> takeLater(String kind) {
    return Mono.just(kind);
  }

  @RateLimit(
      limit = 2,
      window = 60,
      by = {By.IP, By.KEY},
      key = "param:kind",
      name = "take-many")
  Flux<String> takeMany(String kind) {
    return Flux.just(kind, kind);
  }

  @RateLimit(
      limit = 2,
      window = 60,
      by = {By.IP, By.KEY},
      key = "param:kind",
      name = "take-stage")
  CompletionStage<String> takeStage(String kind) {
    return CompletableFuture.completedFuture(kind);
  }
}
