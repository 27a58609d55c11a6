package io.weir.test.pages;

/** Runs a block as it stands on its page, and throws if it doesn't do what the page says. */
@FunctionalInterface
interface BlockRunner {
  void run(CodeBlock block) throws Exception;
}
