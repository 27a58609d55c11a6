package io.weir.compat.kotlin.shop

import io.weir.RateLimitExceededException
import io.weir.annotation.By
import io.weir.annotation.Count
import io.weir.annotation.RateLimit
import java.time.temporal.ChronoUnit
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.springframework.http.MediaType
import org.springframework.http.ResponseEntity
import org.springframework.web.bind.annotation.ExceptionHandler
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.bind.annotation.RestControllerAdvice

/** Suspends in every way, on Spring MVC and on WebFlux. */
@RestController
class ShopController(
    private val letters: Letters,
    private val courier: Courier<String>,
    private val couriers: TextCourier
) {
  @GetMapping("/tea")
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS)
  suspend fun tea(): String {
    delay(1)
    return "tea"
  }

  @GetMapping("/order")
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.HOURS, count = Count.FAILURES)
  suspend fun order(@RequestParam gate: String): String {
    Gates.pass(gate)
    return if (gate.startsWith("lost")) throw LostException(gate) else gate
  }

  @GetMapping("/stream", produces = [MediaType.TEXT_EVENT_STREAM_VALUE])
  @RateLimit(limit = 1, window = 1, unit = ChronoUnit.HOURS, count = Count.FAILURES)
  fun stream(@RequestParam gate: String): Flow<String> = flow {
    emit("first")
    Gates.pass(gate)
    if (gate.startsWith("lost")) throw LostException(gate)
    emit("last")
  }

  /** Calls a bean from another dispatcher, after a suspension. */
  @GetMapping("/letters/{what}")
  suspend fun letter(@PathVariable what: String, @RequestParam(required = false) gate: String?) =
      withContext(Dispatchers.IO) {
        delay(1)
        when (what) {
          "write" -> letters.write("text")
          "print" -> letters.print("text")
          "fax" -> letters.fax("text")
          "deliver" -> letters.deliver(gate!!)
          "reply" -> withTimeoutOrNull(1) { letters.reply() } ?: "no reply"
          "pages" -> letters.pages().toList().toString()
          "sheets" -> letters.sheets().toList().toString()
          "async" -> coroutineScope { async { delay(1); letters.print("text") }.await() }
          "carry" -> courier.carry("text")
          "ship" -> couriers.ship(Parcel("text")).label
          "start" -> couriers.start().await()
          "burn" -> letters.burn().toString()
          "back" -> {
            withContext(Dispatchers.Unconfined) { delay(1) }
            letters.print("text")
          }
          "caught" ->
              try {
                letters.write("text")
              } catch (refused: RateLimitExceededException) {
                "later"
              }
          else -> "?"
        }
      }

  /** Calls a bean while a flow is made, after a suspension. */
  @GetMapping("/flow/{what}", produces = [MediaType.TEXT_EVENT_STREAM_VALUE])
  fun letters(@PathVariable what: String): Flow<String> = flow {
    delay(1)
    emit(if (what == "write") letters.write("text") else letters.print("text"))
  }

  /** Isn't a suspend function, and blocks. */
  @GetMapping("/blocking")
  fun blocking(): String = runBlocking { letters.write("text") }
}

/** Has a proxy, since another bean may call it. */
@RestController
class DeskController {
  @GetMapping("/desk")
  @RateLimit(limit = 2, window = 1, unit = ChronoUnit.HOURS, by = [By.USER])
  suspend fun desk(): String {
    delay(1)
    return "desk"
  }
}

@RestController
class ClerkController(private val desk: DeskController) {
  @GetMapping("/clerk")
  suspend fun clerk(): String {
    delay(1)
    return desk.desk()
  }
}

@RestControllerAdvice
class Errors {
  @ExceptionHandler(LostException::class)
  fun lost(lost: LostException): ResponseEntity<String> =
      ResponseEntity.status(410).body(lost.message)

  @ExceptionHandler(Exception::class)
  fun any(any: Exception): ResponseEntity<String> =
      ResponseEntity.status(500).body("sorry: $any")
}
