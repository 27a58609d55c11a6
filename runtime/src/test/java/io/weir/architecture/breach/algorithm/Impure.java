package io.weir.architecture.breach.algorithm;

import java.util.Map;

/** An algorithm that remembers. */
interface Impure {
  Map<String, String> remembers();
}
