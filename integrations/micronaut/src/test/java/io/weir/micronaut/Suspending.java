package io.weir.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.RateLimit;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kotlin.ResultKt;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.intrinsics.IntrinsicsKt;
import org.jspecify.annotations.Nullable;

/**
 * Has suspend functions, written as Kotlin compiles them. They suspend, and go on in another
 * thread.
 */
@Requires(property = "test.shop")
@Controller("/shop/suspending")
class Suspending {
  private final Stock stock;

  Suspending(Stock stock) {
    this.stock = stock;
  }

  static @Nullable Object later(boolean fail, Continuation<? super String> rest) {
    CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS)
        .execute(
            () ->
                rest.resumeWith(
                    fail
                        ? ResultKt.createFailure(new IllegalStateException("on purpose"))
                        : "fine"));
    return IntrinsicsKt.getCOROUTINE_SUSPENDED();
  }

  @Get("/failures")
  @RateLimit(limit = 2, window = 60, by = By.IP, count = Count.FAILURES, name = "suspend-failures")
  @Nullable Object failures(@QueryValue boolean fail, Continuation<? super String> rest) {
    return later(fail, rest);
  }

  @Get("/requests")
  @RateLimit(limit = 2, window = 60, by = By.IP, name = "suspend-requests")
  @Nullable Object requests(Continuation<? super String> rest) {
    return later(false, rest);
  }

  @Get("/stock/{kind}")
  @Nullable Object stock(String kind, Continuation<? super String> rest) {
    return stock.take(kind, rest);
  }

  /** A bean whose function is limited. */
  @Singleton
  static class Stock {
    @RateLimit(
        limit = 2,
        window = 60,
        by = {By.IP, By.KEY},
        key = "param:kind",
        count = Count.FAILURES,
        name = "suspend-stock")
    @Nullable Object take(String kind, Continuation<? super String> rest) {
      return later(kind.equals("none"), rest);
    }
  }
}
