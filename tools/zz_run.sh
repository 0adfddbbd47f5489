#!/bin/sh
exec node --import tsx --import ./tools/module_loader/register.ts tools/python.ts "$@"
