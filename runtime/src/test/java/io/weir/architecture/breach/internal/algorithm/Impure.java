package io.weir.architecture.breach.internal.algorithm;

import java.util.Map;

/** An algorithm that remembers. */
interface Impure {
  Map<String, String> remembers();
}
