#!/usr/bin/env bash
# Runs a test in its module, also if its turn is another day: ./t NAME [-deep] [arguments of Maven]. NAME is a class, a
# method as Class#method, or a pattern such as 'Claim*'. -deep is Maven's -Pdeep; with -where it only says in which
# modules the test would run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

if [ $# = 0 ] || [ -z "$1" ] || [[ $1 == -* ]]; then
  sed -n '2,4s/^# //p' "$0"
  exit 2
fi
name=$1 && shift
arguments=()
where=
for each in "$@"; do
  case $each in
    -deep) arguments+=(-Pdeep) ;;
    -where) where=yes ;;
    *) arguments+=("$each") ;;
  esac
done
class=${name%%#*} && class=${class##*.}

sources=$(find . -path ./.git -prune -o -name target -prune -o -path '*/src/*' -name "$class.java" -print | sed 's,^\./,,')
tests=$(grep -E '/src/(test|shared)/' <<<"$sources" | xargs -r grep -LE "^(public )?(abstract class|@?interface) ") || true
modules=$(sed 's,/src/.*,,' <<<"$tests" | sort -u | paste -sd ,)
if [ -z "$modules" ]; then
  echo "There is no test $class." >&2
  subclasses=$(git grep -lwE "(extends|implements) ([A-Za-z, ]+, )?$class" -- '*/src/test/*.java' '*/src/shared/*.java' | sed 's,.*/\(.*\)\.java,\1,' | sort -u | paste -sd ' ') || true
  [ -z "$subclasses" ] || echo "Its subclasses are tests: $subclasses" >&2
  package=$(git ls-files "*/src/main/java/*/${class%Test}.java" | head -1 | sed 's,.*/src/main/java/,,; s,/[^/]*$,,')
  neighbours=$(git ls-files "*/src/test/java/$package/*Test.java" | sed "s,.*/$package/,,; /\//d; s,\.java,," | sort -u | paste -sd ' ')
  [ -z "$package" ] || echo "Tests in its package: ${neighbours:-none}" >&2
  exit 1
fi
if [ -n "$where" ]; then
  echo "$modules"
  exit
fi
exec ./mvnw -B -ntp test -pl "$modules" -am -Dtest="$name" -Dsurefire.failIfNoSpecifiedTests=false \
  -Dweir.test.turns=all "${arguments[@]}"
