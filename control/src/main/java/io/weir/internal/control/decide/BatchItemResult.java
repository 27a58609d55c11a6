package io.weir.internal.control.decide;

import java.util.Optional;

/**
 * The outcome of one request of a list: an answer, or a problem, for which nothing was charged.
 * Immutable.
 *
 * @param answer empty if there is a problem
 * @param problem why it couldn't be decided: an {@link
 *     io.weir.internal.control.json.InvalidFieldException}, an {@link
 *     io.weir.InvalidRequestException}, or an unexpected exception
 */
public record BatchItemResult(Optional<CheckAnswer> answer, Optional<Throwable> problem) {
  static BatchItemResult of(CheckAnswer answer) {
    return new BatchItemResult(Optional.of(answer), Optional.empty());
  }

  static BatchItemResult of(Throwable problem) {
    return new BatchItemResult(Optional.empty(), Optional.of(problem));
  }
}
