# Four threads open, read and close a thousand files of 1 KiB for a minute.
set $nfiles=1000
set $size=1k
set $nthreads=4

define fileset name=small,path=/tmp,entries=$nfiles,filesize=$size,prealloc

define process name=reader,instances=1
{
  thread name=readers,memsize=1m,instances=$nthreads
  {
    flowop openfile name=open,filesetname=small,fd=1
    flowop readwholefile name=read,fd=1
    flowop closefile name=close,fd=1
  }
}

run 60
