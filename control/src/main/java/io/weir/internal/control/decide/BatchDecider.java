package io.weir.internal.control.decide;

import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Decides the requests of a list independently and concurrently, but those of one caller in the
 * list's order. A request that can't be decided doesn't affect the others.
 *
 * <p>The first request of each caller goes alone. Once it is decided, the caller has been looked
 * up, and the other requests reach the limiter in their order. Otherwise all would wait for the
 * same look-up and then go on in any order.
 *
 * <p>Immutable.
 */
final class BatchDecider {
  private final Function<RequestInfo, CompletionStage<CheckAnswer>> check;

  BatchDecider(Function<RequestInfo, CompletionStage<CheckAnswer>> check) {
    this.check = check;
  }

  /** The caller as most rules count it. */
  private record Caller(Object user, Object key, Object address) {
    static Caller of(DescribedRequest request) {
      return new Caller(request.user(), request.apiKey(), request.peer());
    }
  }

  private record Indexed(int index, DescribedRequest request) {}

  /**
   * Decides all requests. The result is completed once all are decided, and never exceptionally.
   *
   * @param requests each throws a {@link RuntimeException} if its description breaks a rule
   */
  CompletionStage<List<BatchItemResult>> of(List<Supplier<DescribedRequest>> requests) {
    List<CompletableFuture<BatchItemResult>> answers = new ArrayList<>(requests.size());
    Map<Caller, List<Indexed>> byCaller = new LinkedHashMap<>();
    for (Supplier<DescribedRequest> each : requests) {
      CompletableFuture<BatchItemResult> answer = new CompletableFuture<>();
      try {
        Indexed indexed = new Indexed(answers.size(), each.get());
        byCaller
            .computeIfAbsent(Caller.of(indexed.request()), any -> new ArrayList<>())
            .add(indexed);
      } catch (RuntimeException wrong) {
        answer.complete(BatchItemResult.of(wrong));
      }
      answers.add(answer);
    }
    decide(answers, byCaller.values());
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
  }

  private void decide(
      List<CompletableFuture<BatchItemResult>> answers, Collection<List<Indexed>> callers) {
    for (List<Indexed> each : callers) {
      Indexed first = each.get(0);
      decide(first, answers);
      CompletionStage<BatchItemResult> known = answers.get(first.index());
      known.thenAccept(any -> each.subList(1, each.size()).forEach(next -> decide(next, answers)));
    }
  }

  private void decide(Indexed request, List<CompletableFuture<BatchItemResult>> answers) {
    CompletableFuture<BatchItemResult> answer = answers.get(request.index());
    try {
      check
          .apply(request.request())
          .whenComplete(
              (decided, failed) ->
                  answer.complete(
                      failed == null
                          ? BatchItemResult.of(decided)
                          : BatchItemResult.of(cause(failed))));
    } catch (RuntimeException mistake) {
      answer.complete(BatchItemResult.of(mistake));
    }
  }

  private static Throwable cause(Throwable failed) {
    Throwable cause = failed;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }
}
