package io.weir.compat.kotlin.shop

import java.util.concurrent.ConcurrentHashMap
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout

/** Holds what runs until a test lets it go on. */
object Gates {
  private class Gate {
    val arrived = CompletableDeferred<Unit>()
    val opened = CompletableDeferred<Unit>()
  }

  private val gates = ConcurrentHashMap<String, Gate>()

  private fun gate(name: String) = gates.computeIfAbsent(name) { Gate() }

  suspend fun pass(name: String) {
    gate(name).arrived.complete(Unit)
    gate(name).opened.await()
  }

  /** Waits until somebody waits at a gate. */
  @JvmStatic
  fun awaitArrival(name: String) = runBlocking {
    withTimeout(60_000) { gate(name).arrived.await() }
  }

  @JvmStatic
  fun open(name: String) {
    gate(name).opened.complete(Unit)
  }
}
